plan t::parallel_invalid() {
  parallelize([1]) |$x| { Integer }
}
