plan t::catalog_include() { include('t') }
