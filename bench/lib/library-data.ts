import { createHash } from 'node:crypto'
import { LICENSE_TYPES } from '@pegasus/contracts/stl-library/licenses'
import { createRandom } from './random.ts'

const SYLLABLES = 'ba ce do fi gu ka le mo ni pu ra se ti vo za bri cle dro fle gra'.split(' ')
const VOCABULARY_SIZE = 4000
const DESCRIPTION_WORDS = 30

export interface ModelData {
  id: string
  versionId: string
  title: string
  description: string
  tags: string[]
  licenseType: string
  fileName: string
  sizeBytes: number
  sha256: string
  triangles: number
  box: { min: number[]; max: number[]; size: number[] }
  volumeMm3: number
  areaMm2: number
  createdAt: string
  material: string
  notes: string
  isWatertight: boolean
}

/** Invented words, the most frequent ones first. The first word is in most texts, and the last in hardly any. */
export const VOCABULARY: readonly string[] = Array.from({ length: VOCABULARY_SIZE }, (_, rank) => {
  const letters = [rank % 20, Math.floor(rank / 20) % 20, (Math.floor(rank / 400) * 7 + rank) % 20]
  return letters.map((at) => SYLLABLES[at]).join('')
})

/** Searches as people type them: frequent, medium and rare words, two words together, and an unknown word. */
export const MIXED_SEARCHES: readonly string[] = [
  ...[3, 40, 150, 400, 900, 1800, 2600, 3500].map((rank) => VOCABULARY[rank]!),
  ...[
    [5, 60],
    [30, 500],
    [200, 900],
    [1500, 3000],
  ].map(([one, other]) => `${VOCABULARY[one!]} ${VOCABULARY[other!]}`),
  'nowherefound',
]

/** The correctly spelled words of the misspelled searches. */
export const MEANT_WORDS: readonly string[] = [40, 400, 900, 1800, 2600, 3500].map(
  (rank) => VOCABULARY[rank]!,
)

/** Misspelled searches: `MEANT_WORDS` with two letters swapped, one letter missing, or one letter added. */
export const MISTYPED_SEARCHES: readonly string[] = MEANT_WORDS.map((meant, at) => {
  const letters = [...meant]
  const middle = Math.floor(letters.length / 2)
  if (at % 3 === 0)
    return letters
      .with(middle, letters[middle - 1]!)
      .with(middle - 1, letters[middle]!)
      .join('')
  return letters.toSpliced(middle, at % 3 === 1 ? 1 : 0, ...(at % 3 === 1 ? [] : ['q'])).join('')
})

/** The materials, each with the cumulative share of models. One model in a thousand has the last material. */
const MATERIALS: readonly (readonly [string, number])[] = [
  ['PLA', 0.6],
  ['PETG', 0.9],
  ['ASA', 0.999],
  ['PEEK', 1],
]

const uuidOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-7$3-8$4-$5')

/**
 * Generates models with measurements and a picture, as in a real library, newest last. Every run gets the same models.
 */
export function* generateModels(count: number): Generator<ModelData> {
  const random = createRandom(7)
  // The random number is cubed, so that words have the steep frequency curve of natural language.
  const word = () => VOCABULARY[Math.floor(random() ** 3 * VOCABULARY_SIZE)]!
  const words = (length: number) => Array.from({ length }, word)
  const start = Date.UTC(2026, 0, 1)
  for (let i = 0; i < count; i += 1) {
    const size = [10 + random() * 200, 10 + random() * 200, 5 + random() * 150]
    const title = words(4).join(' ')
    yield {
      id: uuidOf(`model ${i}`),
      versionId: uuidOf(`version ${i}`),
      title,
      description: words(DESCRIPTION_WORDS).join(' '),
      tags: words(3),
      licenseType: LICENSE_TYPES[i % LICENSE_TYPES.length]!,
      fileName: `${title.replaceAll(' ', '-')}.stl`,
      sizeBytes: 84 + 50 * (1000 + Math.floor(random() * 200_000)),
      sha256: createHash('sha256').update(`bytes ${i}`).digest('hex'),
      triangles: 1000 + Math.floor(random() * 200_000),
      box: { min: [0, 0, 0], max: size, size },
      volumeMm3: size[0]! * size[1]! * size[2]! * 0.4,
      areaMm2: size[0]! * size[1]! * 3,
      material: MATERIALS.find(([, share]) => (i * 0.618034) % 1 < share)![0],
      notes: words(6).join(' '),
      isWatertight: i % 5 > 0,
      createdAt: new Date(start + i * 120_000).toISOString().replace('Z', '123Z'),
    }
  }
}
