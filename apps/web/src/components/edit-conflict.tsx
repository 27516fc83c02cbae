import { useEffect, useRef } from 'react'
import type { Merge } from '@/lib/forms/form-merge.ts'
import { AlertBox } from './ui/feedback/alert-box.tsx'
import { Button } from './ui/actions/button.tsx'
import { rich, t } from '@/lib/i18n/messages.ts'

interface EditConflictProps<Field extends string> {
  merge: Merge<Field>
  labels: Readonly<Record<Field, string>>
  /**
   * Returns readable text for the value of a field, for fields whose values are not readable, such as ids.
   */
  describeValue?: (field: Field, text: string) => string
  /** Sentences about this person's changes that cannot be kept. */
  dropped?: readonly string[]
  className?: string
}

const quoted = (text: string): string => (text ? `“${text}”` : t('empty'))

/** Shows the changes that somebody else has saved during this edit, and scrolls into view. */
export function EditConflict<Field extends string>({
  merge,
  labels,
  describeValue = (_, text) => text,
  dropped = [],
  className,
}: EditConflictProps<Field>) {
  const box = useRef<HTMLDivElement>(null)
  // The effect runs once for each conflict. It does not run again when the person accepts one of the other values.
  useEffect(() => {
    // The braces matter, because newer browsers return a promise, which React would treat as the clean-up
    // function.
    box.current?.scrollIntoView({ block: 'center' })
  }, [merge.theirs])
  return (
    <div ref={box} className={className}>
      <AlertBox tone="warning" title={t('Somebody else has changed this in the meantime.')}>
        {merge.changed.length === 0 ? (
          <p>{t('None of the fields of this form have changed. What you typed is kept; save again.')}</p>
        ) : (
          <>
            <p>
              {dropped.length === 0
                ? t(
                    'Your changes are kept. The other fields show the newly saved values. Check them, and save again.',
                  )
                : t(
                    'Your other changes are kept. The other fields show the newly saved values. Check them, and save again.',
                  )}
            </p>
            <ul className="mt-1">
              {dropped.map((sentence, at) => (
                <li key={at}>{sentence}</li>
              ))}
              {merge.changed.map((field) => (
                <li key={field}>
                  {rich(
                    '{field} is now {field2}{isOther, select, true {, but you entered another value} other {}}',
                    {
                      field: labels[field],
                      field2: (
                        <bdi className="font-medium">{quoted(describeValue(field, merge.theirs[field]))}</bdi>
                      ),
                      isOther: String(merge.conflicts.includes(field)),
                    },
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </AlertBox>
    </div>
  )
}

/** Shown below a field that two people changed. It shows the other person's value, with a button to use it. */
export const OtherValue = ({ text, onTake }: { text: string; onTake: () => void }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <span className="min-w-0 wrap-anywhere">
      {rich('Now saved as {text}.', { text: <bdi className="font-medium text-ink">{quoted(text)}</bdi> })}
    </span>
    <Button size="sm" variant="ghost" onClick={onTake}>
      {t('Use that')}
    </Button>
  </span>
)
