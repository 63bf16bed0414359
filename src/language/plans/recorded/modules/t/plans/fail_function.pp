plan t::fail_function() { fail('plain fail') }
