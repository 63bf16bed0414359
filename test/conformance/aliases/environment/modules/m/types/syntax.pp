type M::Syntax = [
