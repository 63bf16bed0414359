class t { }
