# The options of a site over those of all sites; headers are merged.
function web::with_defaults(Web::Options $defaults, Web::Options $options) >> Web::Options {
  $headers = $defaults['headers'].lest || { {} } + $options['headers'].lest || { {} }
  $defaults + $options + { 'headers' => $headers }
}
