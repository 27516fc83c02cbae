import { DEFAULT_LABEL_FIELDS, LABEL_FIELDS, type LabelField } from '@pegasus/contracts/labels/labels'
import {
  LABEL_ROLLS,
  type LabelPaper,
  MAX_LABEL_MM,
  MIN_LABEL_MM,
  findPaper,
  rollPaper,
} from '@pegasus/contracts/labels/label-papers'

/** The selected paper: a known paper by its id, or a roll with custom measurements in mm. */
export interface LabelChoice {
  paperId: string
  widthMm: number
  heightMm: number
  fields: readonly LabelField[]
}

export const CUSTOM_SIZE = 'own'
const STORAGE_KEY = 'pegasus-ops-labels'
const [FIRST_ROLL] = LABEL_ROLLS

const DEFAULT_CHOICE: LabelChoice = {
  paperId: FIRST_ROLL?.id ?? CUSTOM_SIZE,
  widthMm: 60,
  heightMm: 30,
  fields: DEFAULT_LABEL_FIELDS,
}

const isSide = (value: unknown): value is number =>
  typeof value === 'number' && value >= MIN_LABEL_MM && value <= MAX_LABEL_MM

/** Returns the selected paper; null if its measurements are invalid. */
export function paperOf({ paperId, widthMm, heightMm }: LabelChoice): LabelPaper | null {
  if (paperId !== CUSTOM_SIZE) return findPaper(paperId)
  return isSide(widthMm) && isSide(heightMm) ? rollPaper(widthMm, heightMm) : null
}

/** Reads the last selection. It is stored because a printer usually keeps its paper. */
export function readChoice(): LabelChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return DEFAULT_CHOICE
    const choice = { ...DEFAULT_CHOICE, ...(stored as Partial<LabelChoice>) }
    const fields = Array.isArray(choice.fields)
      ? LABEL_FIELDS.filter((field) => choice.fields.includes(field))
      : DEFAULT_LABEL_FIELDS
    return paperOf(choice) ? { ...choice, fields } : DEFAULT_CHOICE
  } catch {
    return DEFAULT_CHOICE
  }
}

export function saveChoice(choice: LabelChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(choice))
  } catch {
    // If the storage is disabled, the selection is not remembered.
  }
}
