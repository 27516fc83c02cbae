// This file is loaded into a child process that must end with its parent. A parent that is killed with -9
// forwards no signal, but its end closes the channel between the two.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// Remove the option that loads this file, because processes that the child forks inherit it, and their own
// channels must stay open.
const at = process.execArgv.indexOf(import.meta.url)
if (at > 0) process.execArgv.splice(at - 1, 2)
