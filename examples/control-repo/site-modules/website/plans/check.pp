# Checks the pages of the website on some nodes, and says where they are missing.
#
# @param targets The nodes.
# @param smallest The minimum size of a page in bytes.
plan website::check(
  TargetSpec         $targets,
  Integer[0, 100000] $smallest = 1,
) {
  out::message("Checking the website on ${get_targets($targets).length} nodes")
  $results = run_task('website::check', $targets, 'smallest' => $smallest, '_catch_errors' => true)
  $missing = $results.error_set.names
  if !$missing.empty {
    fail_plan("The website is not right on ${missing.join(', ')}", 'website/wrong', 'nodes' => $missing)
  }
  return "The website is right on ${results.ok_set.names.join(', ')}"
}
