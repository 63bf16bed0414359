plan t::parallel_error() {
  parallelize([1, 2]) |$x| { 1 / 0 }
}
