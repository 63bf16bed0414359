plan t::plan_optional(Optional[String] $a, Variant[Undef, Integer] $b) { return [$a, $b] }
