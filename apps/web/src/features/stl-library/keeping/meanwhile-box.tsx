import { AlertBox } from '@/components/ui/alert-box.tsx'
import { FIELD_WORDS, type Merge, wordsOf } from './edit-form.ts'

interface MeanwhileBoxProps {
  merge: Merge
  className: string
}

/** What somebody else has saved while this was being edited. */
export const MeanwhileBox = ({ merge, className }: MeanwhileBoxProps) => (
  <div className={className}>
    <AlertBox tone="warning" title="Somebody else has changed this in the meantime.">
      {merge.changed.length === 0 ? (
        <p>None of these fields. What you typed is kept; save again.</p>
      ) : (
        <>
          <p>What you typed is kept, the rest is as they saved it. Look it over and save again.</p>
          <ul className="mt-1">
            {merge.changed.map((field) => (
              <li key={field}>
                {FIELD_WORDS[field]} is now{' '}
                <bdi className="font-medium">
                  {wordsOf(merge.theirs, field) ? `“${wordsOf(merge.theirs, field)}”` : 'empty'}
                </bdi>
                {merge.conflicts.includes(field) ? ', and you typed something else' : ''}
              </li>
            ))}
          </ul>
        </>
      )}
    </AlertBox>
  </div>
)
