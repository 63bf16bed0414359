/** Work that would hold up the main thread, done in a thread of its own. */

export { answerBodies, BodyThread } from './body-thread.ts';
