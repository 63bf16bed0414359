/** Files that tests make have the modes that they have with the usual umask, whatever the one of the shell is. */

process.umask(0o022);
