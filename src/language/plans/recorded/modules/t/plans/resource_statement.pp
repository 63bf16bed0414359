plan t::resource_statement() { file { '/tmp/x': } }
