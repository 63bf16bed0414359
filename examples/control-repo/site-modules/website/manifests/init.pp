# A few pages and their style sheet.
#
# @param directory Where the pages go.
# @param title What is written on top of each.
# @param pages The pages by name.
class website (
  String[1]                  $directory,
  String[1]                  $title,
  Hash[String[1], Website::Page] $pages,
) {
  file { $directory:
    ensure => directory,
  }

  file { "${directory}/assets":
    ensure  => directory,
    recurse => true,
    source  => 'puppet:///modules/website/assets',
  }

  $pages.each |String $name, Website::Page $page| {
    website::page { $name:
      directory => $directory,
      title     => $title,
      *         => $page,
    }
  }

  file { "${directory}/sitemap.txt":
    ensure  => file,
    content => $pages.keys.sort.map |$name| { "${website::slug($name)}.html\n" }.join(''),
  }

  Website::Page <| |> -> File["${directory}/sitemap.txt"]
}
