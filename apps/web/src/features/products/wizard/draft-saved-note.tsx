import { Check, CloudOff } from 'lucide-react'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { formatTime } from '@/lib/format/format.ts'
import type { DraftKeeper, SaveState } from './draft-keeper.ts'
import { t } from '@/lib/i18n/messages.ts'

/** A short note in the heading that says where the draft is saved. */
export function DraftSavedNote({ keeping, onRetry }: { keeping: SaveState; onRetry: () => void }) {
  if (keeping.state === 'here-only')
    return (
      <span
        role="status"
        className="flex items-center gap-1.5 text-label text-yellow-ink"
        title={keeping.reason}
      >
        <CloudOff size={14} aria-hidden />
        {t('Draft saved in this browser only')}
        <Button size="sm" variant="ghost" onClick={onRetry}>
          {t('Save again')}
        </Button>
      </span>
    )
  return (
    <span role="status" className="flex items-center gap-1.5 text-label text-ink-3">
      {keeping.state === 'saved' ? (
        <>
          <Check size={14} aria-hidden />
          {t('Draft saved {atMs}', { atMs: formatTime(keeping.atMs) })}
        </>
      ) : keeping.state === 'saving' ? (
        t('Saving draft…')
      ) : null}
    </span>
  )
}

/** Asks for a decision if somebody else has changed the same draft. */
export function DraftSaveError({ keeping, keeper }: { keeping: SaveState; keeper: DraftKeeper }) {
  if (keeping.state === 'conflict')
    return (
      <AlertBox
        tone="warning"
        className="mb-3"
        title={t('This draft was changed elsewhere in the meantime.')}
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => keeper.takeTheirs(keeping.theirs)}>
              {t('Take theirs')}
            </Button>
            <Button size="sm" onClick={() => keeper.keepMine(keeping.theirs)}>
              {t('Keep mine')}
            </Button>
          </span>
        }
      >
        {t('What you typed is kept in this browser until you choose.')}
      </AlertBox>
    )
  if (keeping.state !== 'gone') return null
  return (
    <AlertBox
      tone="warning"
      className="mb-3"
      title={t('This draft is no longer on the server, because it was published or deleted.')}
      action={
        <Button size="sm" onClick={() => keeper.saveAsNew()}>
          {t('Keep it as a new draft')}
        </Button>
      }
    >
      {t('What you typed is kept in this browser.')}
    </AlertBox>
  )
}
