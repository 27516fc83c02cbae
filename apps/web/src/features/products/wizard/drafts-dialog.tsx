import type { Draft } from '@pegasus/contracts/products/drafts'
import { isAdmin } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import { FilePlus2, Trash2 } from 'lucide-react'
import { CardState } from '@/components/card-state.tsx'
import { MediaPicture } from '@/components/media-picture.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { EmptyState } from '@/components/ui/feedback/empty-state.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import { Switch } from '@/components/ui/forms/switch.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { errorMessage } from '@/lib/http/api-error.ts'
import { formatAgo } from '@/lib/format/format.ts'
import { useCurrentUser } from '@/lib/session/session.ts'
import { useNow } from '@/lib/browser/use-now.ts'
import { STEPS } from '../product-form/product-form.ts'
import { draftsQuery, useDeleteDraft, useRestoreDraft, useShareDraft } from '../products.queries.ts'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

interface DraftsDialogProps {
  /** Id of the draft that is open in the wizard. */
  currentId: string | null
  onOpen: (draft: Draft) => void
  onNew: () => void
  /** Called if the open draft was moved to the trash. */
  onDeletedCurrent: () => void
  onClose: () => void
}

/** Lists the person's own drafts and shared drafts. */
export function DraftsDialog({ currentId, onOpen, onNew, onDeletedCurrent, onClose }: DraftsDialogProps) {
  const drafts = useQuery(draftsQuery)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('Drafts')}
      description={t('Unfinished products. Staff and higher roles can continue shared drafts.')}
      footer={
        <Button icon={<FilePlus2 size={16} strokeWidth={1.75} aria-hidden />} onClick={onNew}>
          {t('New draft')}
        </Button>
      }
    >
      <CardState
        error={t('The drafts could not be loaded.')}
        loading={t('The drafts: loading')}
        query={drafts}
      />
      {drafts.data?.length === 0 ? (
        <EmptyState icon={<FilePlus2 size={28} strokeWidth={1.4} aria-hidden />} title={t('No drafts')}>
          {t('What you type in the wizard is kept here, so that you can continue on another computer.')}
        </EmptyState>
      ) : null}
      <ul className="divide-y divide-line">
        {drafts.data?.map((draft) => (
          <DraftRow
            key={draft.id}
            draft={draft}
            isCurrent={draft.id === currentId}
            onOpen={() => onOpen(draft)}
            onDeleted={() => draft.id === currentId && onDeletedCurrent()}
          />
        ))}
      </ul>
    </Dialog>
  )
}

interface DraftRowProps {
  draft: Draft
  isCurrent: boolean
  onOpen: () => void
  onDeleted: () => void
}

const reportFailure = (error: unknown): void =>
  toast({ title: errorMessage(error, t('That did not work. Please try again.')) })

function DraftRow({ draft, isCurrent, onOpen, onDeleted }: DraftRowProps) {
  const nowMs = useNow()
  const { role } = useCurrentUser()
  const share = useShareDraft()
  const remove = useDeleteDraft()
  const restore = useRestoreDraft()
  const { id, title, content, step, is_mine: isMine, is_shared: isShared, owner, revision } = draft
  const picture = content.posterUrl || content.images?.[0]
  const handleDelete = () =>
    remove.mutate(id, {
      onSuccess: () => {
        onDeleted()
        toast({
          title: t('Draft “{title}” moved to the trash', { title }),
          action: { label: t('Undo'), onSelect: () => restore.mutate(id, { onError: reportFailure }) },
        })
      },
      onError: reportFailure,
    })
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5">
      {picture ? (
        <MediaPicture src={picture} width={160} className="size-12" />
      ) : (
        <PartPicture src={null} className="size-12" />
      )}
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium" title={title}>
          <bdi className="block truncate">{title}</bdi>
        </p>
        <p className="truncate text-caption text-ink-3">
          {joinFacts([
            isCurrent && t('Open here'),
            !isMine && owner.name,
            STEPS[step - 1],
            formatAgo(draft.updated_at, nowMs),
          ])}
        </p>
      </div>
      <span className="ms-auto flex items-center gap-2">
        {isMine ? (
          <Switch
            label={t('Shared')}
            aria-label={t('Share {title}', { title })}
            checked={share.isPending ? share.variables.isShared : isShared}
            onChange={(event) =>
              share.mutate({ id, revision, isShared: event.target.checked }, { onError: reportFailure })
            }
          />
        ) : (
          <span className="text-label text-ink-3">{t('Shared')}</span>
        )}
        {isCurrent ? null : (
          <Button size="sm" onClick={onOpen} aria-label={t('Open {title}', { title })}>
            {t('Open')}
          </Button>
        )}
        {isMine || isAdmin(role) ? (
          <IconButton
            size="sm"
            label={t('Delete {title}', { title })}
            disabled={remove.isPending}
            onClick={handleDelete}
          >
            <Trash2 size={14} strokeWidth={1.75} aria-hidden />
          </IconButton>
        ) : null}
      </span>
    </li>
  )
}
