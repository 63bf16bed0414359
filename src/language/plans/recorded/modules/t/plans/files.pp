plan t::files() {
  out::message(file::exists('t/hello.txt'))
  out::message(file::exists('t/none.txt'))
  out::message(file::readable('t/hello.txt'))
  out::message(file::read('t/hello.txt'))
  out::message(file::join('a', '/b/', 'c'))
  out::message(system::env('NO_SUCH_VARIABLE_HERE'))
  file::read('t/none.txt')
}
