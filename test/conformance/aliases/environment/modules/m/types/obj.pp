type M::Obj = {attributes => {a => NoSuch}}
