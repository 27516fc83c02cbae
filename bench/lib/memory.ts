import { readFile, readdir } from 'node:fs/promises'

export interface Memory {
  rssMb: number
  /** The memory of a process (PSS). Each shared page is divided among its processes, so values can be added. */
  pssMb: number
}

const KILOBYTES_PER_MB = 1024

/** Reads the memory of a process from /proc. Returns null on systems without it. */
export async function memoryOf(pid: number): Promise<Memory | null> {
  try {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
    const read = (name: string) =>
      Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1]) / KILOBYTES_PER_MB
    return { rssMb: read('Rss'), pssMb: read('Pss') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES'].includes(String(error.code)))
      return null
    throw error
  }
}

/** Returns the ids of all processes that a process has started, directly or indirectly. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  const further = await Promise.all(children.map(descendantsOf))
  return [...children, ...further.flat()]
}

/** Returns the total PSS of all PostgreSQL processes below a process, in MB. */
export async function postgresPssMb(pid: number): Promise<number> {
  const memories = await Promise.all((await descendantsOf(pid)).map(memoryOf))
  return memories.reduce((sum, memory) => sum + (memory?.pssMb ?? 0), 0)
}

/** Watches the memory of a process. `stop` returns the maximum growth in MB. */
export function watchRss(pid: number): { stop(): Promise<number> } {
  let highest = 0
  let isStopped = false
  const loop = async () => {
    while (!isStopped) {
      const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
      highest = Math.max(highest, (Number(text.split(' ')[1] ?? 0) * 4096) / 2 ** 20)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const done = loop()
  return {
    async stop() {
      isStopped = true
      await done
      return highest
    },
  }
}
