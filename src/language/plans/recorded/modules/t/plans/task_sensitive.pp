plan t::task_sensitive() {
  $r = run_task('t::secret', 'a.example.com', 'password' => 'hush')
  out::message($r.first.value)
  out::message($r.first.sensitive)
  out::message($r.first['_sensitive'])
  out::message($r.first['_sensitive'].unwrap)
  return $r
}
