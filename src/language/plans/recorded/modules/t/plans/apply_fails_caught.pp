plan t::apply_fails_caught() {
  $results = apply('localhost', '_catch_errors' => true) { fail('no way') }
  $e = $results.first.error
  return [$results.ok, $e.kind, $e.message, $e.details, $results.first.value]
}
