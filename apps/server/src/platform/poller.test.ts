import { describe, expect, it } from 'vitest'
import { createPoller } from './poller.ts'

const recordedLog = () => {
  const lines: object[] = []
  const note = (entry: object) => void lines.push(entry)
  return { lines, log: { debug: note, info: note, warn: note, error: note } }
}

describe('pollers', () => {
  it('a poller continues after a failed run, and when it is stopped it first finishes the current run', async () => {
    const { lines, log } = recordedLog()
    const fourth = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    let begun = 0
    let ended = 0
    const rounds = createPoller({
      name: 'test',
      pauseMs: 1,
      log,
      async work() {
        begun += 1
        if (begun === 2) throw new Error('not now')
        if (begun === 4) {
          fourth.resolve()
          await release.promise
        }
        ended += 1
      },
    })
    rounds.start()
    rounds.start()
    await fourth.promise
    const stopped = rounds.stop()
    release.resolve()
    await stopped
    expect([begun, ended]).toEqual([4, 3])
    expect(lines).toEqual([expect.objectContaining({ round: 'test', err: expect.any(Error) })])
  })

  it('a poller can be run on demand, and the caller gets the error if the run fails', async () => {
    const { log } = recordedLog()
    const rounds = createPoller({
      name: 'test',
      pauseMs: 60_000,
      log,
      work: () => Promise.reject(new Error('no')),
    })
    await expect(rounds.run()).rejects.toThrow('no')
    rounds.start()
    await rounds.stop()
  })
})
