plan t::fail_error() { fail_plan(Error('bad', 'my/kind', { 'a' => 1 })) }
