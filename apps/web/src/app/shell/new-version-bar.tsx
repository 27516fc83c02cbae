import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { Button } from '@/components/ui/actions/button.tsx'
import { newVersionQuery } from '@/lib/browser/app-version.ts'

/** Says that this page is outdated. The person decides when to reload it. */
export function NewVersionBar() {
  const { data: isNew } = useQuery(newVersionQuery)
  return (
    <div role="status">
      {isNew ? (
        <div className="flex items-center gap-3 border-t border-line bg-accent-soft px-4 py-1.5 text-label text-accent-ink sm:px-6">
          <p className="min-w-0 flex-1">
            <strong className="font-semibold">A new version is there.</strong> Reload when what you are typing
            is saved.
          </p>
          <Button
            size="sm"
            icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />}
            onClick={() => location.reload()}
          >
            Reload
          </Button>
        </div>
      ) : null}
    </div>
  )
}
