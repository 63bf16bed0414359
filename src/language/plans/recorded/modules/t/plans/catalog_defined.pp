plan t::catalog_defined() { return defined('run_task') }
