plan t::fail() { fail_plan('it broke', 'my/kind', { 'a' => [1] }, 'CODE') }
