type M::One = M::Two
