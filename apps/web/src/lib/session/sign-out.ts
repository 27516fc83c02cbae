import { signOut } from './session.ts'

/** Whether somebody who is about to lose something by it goes on all the same. */
type Question = () => Promise<boolean>

const questions = new Set<Question>()

/** Has `signOutAfterAsking` ask first. Answers what ends that. */
export function askBeforeSignOut(question: Question): () => void {
  questions.add(question)
  return () => void questions.delete(question)
}

/** Signs out when whatever is still under way does not stand against it. */
export async function signOutAfterAsking(): Promise<void> {
  for (const isFine of questions) if (!(await isFine())) return
  await signOut()
}
