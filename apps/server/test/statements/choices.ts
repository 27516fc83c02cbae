/** Answers questions about unknown values, such as which branch of an `if` to take. One object is used for one run. */
export class Choices {
  /**
   * The choices in order. Each one consists of the question, the number of possible answers, and the chosen
   * answer.
   */
  readonly made: { key: string; count: number; chosen: number }[] = []
  readonly #forced: ReadonlyMap<string, number>
  readonly #known = new Map<string, number>()

  constructor(forced: ReadonlyMap<string, number>) {
    this.#forced = forced
  }

  /** Chooses an answer. The same question gets the same answer during the whole run. */
  choose(key: string, count: number): number {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const chosen = this.#forced.get(key) ?? 0
    this.#known.set(key, chosen)
    this.made.push({ key, count, chosen })
    return chosen
  }

  has(key: string): number | undefined {
    return this.#known.get(key)
  }
}

const MAX_RUNS = 400

/** Repeats `work` until each answer to each question has been chosen at least once. */
export function tryEachChoice(work: (choices: Choices) => void): void {
  const seen = new Set<string>()
  const waiting: ReadonlyMap<string, number>[] = [new Map()]
  for (let runs = 0; waiting.length > 0; runs += 1) {
    if (runs > MAX_RUNS) throw new Error('Too many ways through a function: is there a loop?')
    const choices = new Choices(waiting.shift()!)
    work(choices)
    const before = new Map<string, number>()
    for (const { key, count, chosen } of choices.made) {
      seen.add(`${key}=${chosen}`)
      for (let other = 0; other < count; other += 1) {
        if (seen.has(`${key}=${other}`)) continue
        seen.add(`${key}=${other}`)
        waiting.push(new Map([...before, [key, other]]))
      }
      before.set(key, chosen)
    }
  }
}
