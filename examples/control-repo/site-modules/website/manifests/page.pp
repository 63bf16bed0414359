# One page.
#
# @param directory Where it goes.
# @param site_title The site's title.
# @param heading The page's own heading.
# @param body Its text.
define website::page (
  String[1] $directory,
  String[1] $site_title,
  String[1] $heading,
  String    $body = '',
) {
  file { "${directory}/${website::slug($name)}.html":
    ensure  => file,
    content => epp('website/page.html.epp', {
      'title'   => $site_title,
      'heading' => $heading,
      'body'    => $body,
    }),
  }
}
