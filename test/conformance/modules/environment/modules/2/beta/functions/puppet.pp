function beta::puppet() { owner() }
