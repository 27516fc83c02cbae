import { Upload } from 'lucide-react'

/** Says that dropping here adds the files to the library. */
export const DropVeil = () => (
  <div
    className="pointer-events-none fixed inset-3 z-50 grid animate-enter place-items-center rounded-dialog border-2 border-dashed border-accent bg-accent-soft/80"
    aria-hidden
  >
    <p className="flex items-center gap-2 rounded-control bg-surface px-4 py-3 text-body font-semibold text-accent-ink shadow-float">
      <Upload size={16} strokeWidth={1.75} />
      Drop files or a folder to add them to the library
    </p>
  </div>
)
