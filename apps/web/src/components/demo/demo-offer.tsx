import { type DemoStatus, makeDemo, removeDemo } from '@pegasus/contracts/demo'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useEffect, useState } from 'react'
import { QueryError } from '@/components/query-error.tsx'
import { Button } from '@/components/ui/actions/button.tsx'
import { Progress } from '@/components/ui/feedback/progress.tsx'
import { ICON } from '@/components/ui/icon-props.ts'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { errorDetail } from '@/lib/http/api-error.ts'
import { t } from '@/lib/i18n/messages.ts'
import { visitDemo } from '@/lib/session/demo-visit.ts'
import { demoQuery } from './demo.queries.ts'

const BUSY_REFETCH_MS = 500

const isBusy = (status: DemoStatus | undefined): boolean =>
  status?.state === 'making' || status?.state === 'removing'

interface DemoOfferProps {
  /** True to show the question about removing the demo immediately. */
  asksRemoval?: boolean
}

/** Offers a look around in a demo. Makes the demo, enters it and removes it. */
export function DemoOffer({ asksRemoval = false }: DemoOfferProps) {
  const client = useQueryClient()
  const demo = useQuery({
    ...demoQuery,
    refetchInterval: ({ state }) => (isBusy(state.data) ? BUSY_REFETCH_MS : false),
  })
  /** True from the click until the demo is open. */
  const [isWanted, setIsWanted] = useState(false)
  const [isAsking, setIsAsking] = useState(asksRemoval)
  const status = demo.data
  const keep = (next: DemoStatus) => client.setQueryData(demoQuery.queryKey, next)

  const entering = useMutation({
    mutationFn: visitDemo,
    onError: (error) => {
      setIsWanted(false)
      toast({ title: errorDetail(error, t('The demo could not be opened.')) })
    },
  })
  const making = useMutation({
    mutationFn: () => callApi(makeDemo),
    onSuccess: keep,
    onError: (error) => {
      setIsWanted(false)
      toast({ title: errorDetail(error, t('The demo could not be made.')) })
    },
  })
  const removing = useMutation({
    mutationFn: () => callApi(removeDemo),
    onSuccess: (next) => {
      keep(next)
      setIsAsking(false)
      toast({ title: t('The demo is being removed.') })
    },
  })

  const { mutate: enter, isPending: isEntering, isSuccess: hasEntered } = entering
  const state = status?.state
  useEffect(() => {
    if (isWanted && state === 'ready' && !isEntering && !hasEntered) enter()
  }, [isWanted, state, enter, isEntering, hasEntered])

  const look = () => {
    setIsWanted(true)
    if (state !== 'ready') making.mutate()
  }
  if (!status) return <QueryError query={demo} message={t('The state of the demo could not be loaded.')} />
  const cannot = !status.can_be_made && status.state !== 'ready'
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="max-w-[72ch] text-label text-ink-2">
          {cannot
            ? t(
                'The database account of this server may not create databases, so it cannot make a demo. An administrator of PostgreSQL can allow it with ALTER ROLE … CREATEDB.',
              )
            : t(
                'See every page with example data. The demo has a database and files of its own: nothing in it touches your shop, and one click removes it.',
              )}
        </p>
        {state === 'making' ? (
          <div className="mt-2 max-w-[420px]" role="status">
            <p className="mb-1 text-label">
              {t('The demo is being made: {percent}%', { percent: status.percent })}
            </p>
            <Progress label={t('Making the demo')} value={status.percent} max={100} />
          </div>
        ) : null}
        {state === 'removing' ? (
          <p className="mt-2 text-label" role="status">
            {t('The demo is being removed.')}
          </p>
        ) : null}
        {state === 'failed' ? (
          <p className="mt-2 text-label text-red-ink" role="alert">
            {t('The demo could not be made. Nothing of it is left. The log of the server says why.')}
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        {cannot ? null : (
          <Button
            icon={<FlaskConical {...ICON} />}
            isPending={(isWanted && (state !== 'failed' || making.isPending)) || state === 'making'}
            disabled={state === 'removing'}
            onClick={look}
          >
            {t('Look around in a demo')}
          </Button>
        )}
        {state === 'ready' ? (
          <Button variant="ghost" onClick={() => setIsAsking(true)}>
            {t('Remove the demo')}
          </Button>
        ) : null}
      </div>
      {isAsking && state === 'ready' ? (
        <ConfirmDialog
          title={t('Remove the demo?')}
          keepLabel={t('Keep it')}
          confirmLabel={t('Remove the demo')}
          isPending={removing.isPending}
          error={removing.error && errorDetail(removing.error, t('The demo was not removed.'))}
          onConfirm={() => removing.mutate()}
          onClose={() => setIsAsking(false)}
        >
          {t(
            'Its database, its files and everything that was tried in it are deleted for good. Your shop stays as it is.',
          )}
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
