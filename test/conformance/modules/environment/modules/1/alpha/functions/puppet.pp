function alpha::puppet() { owner() }
