class m::class { }
