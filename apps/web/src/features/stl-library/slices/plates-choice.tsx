import type { Slice } from '@pegasus/contracts/slices/slices'
import { Field } from '@/components/ui/forms/field.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { printOf } from '@/components/slices/print-of.ts'
import { formatGrams, formatMinutes } from '@/lib/format/format.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'
import { t } from '@/lib/i18n/messages.ts'
import { PiecesInput } from './pieces-input.tsx'
import { useUpdateSlice } from './slices.queries.ts'

const VALUES = { open: null, all: true, each: false } as const
type Choice = keyof typeof VALUES

const choiceOf = (needsAllPlates: boolean | null): Choice =>
  needsAllPlates === null ? 'open' : needsAllPlates ? 'all' : 'each'

const answerText = (choice: Choice): string =>
  ({
    open: t('Not decided yet'),
    all: t('Yes, one piece needs all plates'),
    each: t('No, each plate is a print of its own'),
  })[choice]

/** Says how jobs print the file after the choice. The figures are those of all plates. */
function consequenceOf(slice: Slice, slices: readonly Slice[]): string {
  const { grams, minutes } = printOf(slice, slices)
  if (slice.needs_all_plates === null)
    return t('Until then, a job prints one plate, and the cost counts one plate.')
  if (!slice.needs_all_plates) return t('A job prints one plate.')
  const all = joinFacts([
    grams === null ? t('unknown weight') : formatGrams(grams),
    minutes === null ? t('unknown time') : formatMinutes(minutes),
  ])
  return t(
    'All plates together: {all}. A person prints them by hand, and completes the job when all plates are done.',
    {
      all,
    },
  )
}

/**
 * Asks whether one piece needs all plates of a sliced file. `slice` is the first plate of the file, and `slices` are the
 * sliced files of the model.
 */
export function PlatesChoice({
  slice,
  slices,
  canChange,
}: {
  slice: Slice
  slices: readonly Slice[]
  canChange: boolean
}) {
  const update = useUpdateSlice()
  const { file_name: file, plates, needs_all_plates: needsAllPlates } = slice
  const question = t('Does one piece need all {plates} plates of {file}?', { plates, file })
  const choice = choiceOf(needsAllPlates)
  const isOpen = choice === 'open'
  const sent = update.variables?.change.needs_all_plates
  return (
    <li className="flex flex-wrap items-end gap-3 px-4 py-2.5">
      {canChange ? (
        <Field label={question} hint={consequenceOf(slice, slices)} className="min-w-52 flex-1">
          <Select
            value={update.isPending && sent !== undefined ? choiceOf(sent) : choice}
            // A disabled field would lose the focus.
            onChange={({ target }) => {
              if (update.isPending) return
              update.mutate({ slice, change: { needs_all_plates: VALUES[target.value as Choice] } })
            }}
          >
            <Options
              of={(Object.keys(VALUES) as Choice[])
                .filter((value) => isOpen || value !== 'open')
                .map((value) => ({ value, label: answerText(value) }))}
            />
          </Select>
        </Field>
      ) : (
        <p className="min-w-52 flex-1 wrap-anywhere">
          <span className="font-medium">{question}</span> {answerText(choice)}.{' '}
          <span className="text-ink-3">{consequenceOf(slice, slices)}</span>
        </p>
      )}
      {needsAllPlates ? (
        <PiecesInput key={slice.pieces} slice={slice} title={file} canChange={canChange} />
      ) : null}
    </li>
  )
}
