plan t::apply_facts_variable() {
  $facts = {'a' => 1}
  $trusted = 1
  return apply('localhost', '_catch_errors' => true) { notify { "${facts['a']} ${trusted}": } }.map |$r| { [$r.error, $r.message] }
}
