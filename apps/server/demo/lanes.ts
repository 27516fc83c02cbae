/** Number of calls that run in parallel, so that their queries are sent together. */
const IN_FLIGHT = 40

/** Runs work in parallel, except that work on the same subject runs in order. */
export interface Lanes {
  /** Resolves when more work can be added. Throws the error of earlier work. */
  run(subjects: readonly string[], work: () => Promise<void>): Promise<void>
  finish(): Promise<void>
}

export function createLanes(): Lanes {
  const latest = new Map<string, Promise<void>>()
  const inFlight = new Set<Promise<void>>()

  const follow = async (before: readonly Promise<void>[], work: () => Promise<void>) => {
    await Promise.all(before)
    await work()
  }

  return {
    async run(subjects, work) {
      const before = subjects.flatMap((subject) => latest.get(subject) ?? [])
      // Failed work stays in the set, so that the next caller gets its error.
      const done: Promise<void> = follow(before, async () => {
        await work()
        inFlight.delete(done)
      })
      for (const subject of subjects) latest.set(subject, done)
      inFlight.add(done)
      if (inFlight.size >= IN_FLIGHT) await Promise.race(inFlight)
    },
    async finish() {
      await Promise.all(inFlight)
    },
  }
}
