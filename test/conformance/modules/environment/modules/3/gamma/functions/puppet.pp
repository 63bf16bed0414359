function gamma::puppet() { owner() }
