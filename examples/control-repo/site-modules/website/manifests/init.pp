# A few pages and their style sheet.
#
# @param directory Where the pages go.
# @param site_title What is written on top of each.
# @param pages The pages by name.
class website (
  String[1]                         $directory,
  String[1]                         $site_title,
  Hash[String[1], Website::Content] $pages,
) {
  file { $directory:
    ensure => directory,
  }

  file { "${directory}/assets":
    ensure  => directory,
    recurse => true,
    source  => 'puppet:///modules/website/assets',
  }

  $pages.each |String $name, Website::Content $page| {
    website::page { $name:
      directory  => $directory,
      site_title => $site_title,
      *          => $page,
    }
  }

  file { "${directory}/sitemap.txt":
    ensure  => file,
    content => $pages.keys.sort.map |$name| { "${website::slug($name)}.html\n" }.join(''),
  }

  Website::Page <| |> -> File["${directory}/sitemap.txt"]
}
