import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { MakingNews, MakingOrder } from './make-demo.protocol.ts'

const PROGRAM = fileURLToPath(new URL('./make-demo.process.ts', import.meta.url))

/**
 * Makes a demo in a process of its own, which ends with this one. Resolves when that process has ended. Throws the
 * reason of `signal` if it aborts, and an error with the failure of the process.
 */
export async function makeInChild(
  order: MakingOrder,
  report: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  // Options such as a debugger's port belong to the server.
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
