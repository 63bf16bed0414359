plan t::return_error() { return Error('bad', 'my/kind', { 'a' => 1 }, 'CODE') }
