import { DEFAULT_LABEL_FIELDS, LABEL_FIELDS, type LabelField } from '@pegasus/contracts/labels/labels'
import {
  LABEL_ROLLS,
  type LabelPaper,
  MAX_LABEL_MM,
  MIN_LABEL_MM,
  findPaper,
  rollPaper,
} from '@pegasus/contracts/labels/label-papers'

/** The chosen paper: a known one by name, or a roll with custom measures. */
export interface LabelChoice {
  paperId: string
  widthMm: number
  heightMm: number
  fields: readonly LabelField[]
}

export const OWN_SIZE = 'own'
const KEPT_UNDER = 'pegasus-ops-labels'
const [FIRST_ROLL] = LABEL_ROLLS

const FIRST_CHOICE: LabelChoice = {
  paperId: FIRST_ROLL?.id ?? OWN_SIZE,
  widthMm: 60,
  heightMm: 30,
  fields: DEFAULT_LABEL_FIELDS,
}

const isSide = (value: unknown): value is number =>
  typeof value === 'number' && value >= MIN_LABEL_MM && value <= MAX_LABEL_MM

/** The paper of a choice; null while the measures are invalid. */
export function paperOf({ paperId, widthMm, heightMm }: LabelChoice): LabelPaper | null {
  if (paperId !== OWN_SIZE) return findPaper(paperId)
  return isSide(widthMm) && isSide(heightMm) ? rollPaper(widthMm, heightMm) : null
}

/** People keep their printer, so the last paper is offered again. */
export function readChoice(): LabelChoice {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_UNDER) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return FIRST_CHOICE
    const choice = { ...FIRST_CHOICE, ...(kept as Partial<LabelChoice>) }
    const fields = Array.isArray(choice.fields)
      ? LABEL_FIELDS.filter((field) => choice.fields.includes(field))
      : DEFAULT_LABEL_FIELDS
    return paperOf(choice) ? { ...choice, fields } : FIRST_CHOICE
  } catch {
    return FIRST_CHOICE
  }
}

export function keepChoice(choice: LabelChoice): void {
  try {
    localStorage.setItem(KEPT_UNDER, JSON.stringify(choice))
  } catch {
    // Without storage the choice is not remembered.
  }
}
