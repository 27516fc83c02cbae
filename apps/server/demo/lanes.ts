/** So many pieces of work wait for the database at a time: their questions travel together. */
const IN_FLIGHT = 40

/** Work that goes side by side, but in order where it is about the same thing. */
export interface Lanes {
  /** Answers when there is room for more. Throws what earlier work has thrown. */
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
      // One that failed stays, so that whoever waits next hears of it.
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
