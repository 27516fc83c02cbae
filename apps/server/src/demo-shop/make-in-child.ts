import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { MakingNews, MakingOrder } from './make-demo.protocol.ts'

const PROGRAM = fileURLToPath(new URL('./make-demo.process.ts', import.meta.url))

/**
 * Makes a demo in a child process, and resolves when that process has ended. `report` gets the progress in percent. If
 * `signal` aborts, kills the process and throws the signal's reason. If the process fails, throws an error that says
 * why.
 */
export async function makeInChild(
  order: MakingOrder,
  report: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  // Do not pass on the options of this process, such as the port of a debugger.
  const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 1, 2, 'ipc'] })
  const { promise: ended, resolve, reject } = Promise.withResolvers<string>()
  let failure: string | null = null
  child.on('message', (news: MakingNews) => {
    if ('percent' in news) report(news.percent)
    else failure = news.failure
  })
  child.once('error', reject)
  child.once('exit', (code, endedBy) => resolve(code === 0 ? '' : `It ended with ${endedBy ?? code}.`))
  // Killing the process is safe, because an unfinished demo is deleted anyway.
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  try {
    child.send(order, (error) => error && reject(error))
    const fault = await ended
    signal.throwIfAborted()
    if (fault !== '') throw new Error(`The process that makes the demo failed. ${failure ?? fault}`)
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}
