/** The thread of one ruby.wasm. It serves until the other side goes, and hears nothing else meanwhile. */

import { workerData } from 'node:worker_threads';
import { ChannelEnd, GUEST } from './frame-channel.ts';
import { instanceOf, type RubyImage } from './ruby-image.ts';

export interface RubyWorkerData {
  readonly image: RubyImage;
  readonly channel: SharedArrayBuffer;
}

/** As `wasm.rb` has them. */
const QUESTIONS = '/dev/bunraku/questions';
const ANSWERS = '/dev/bunraku/answers';

serve(workerData as RubyWorkerData);

function serve({ channel, image }: RubyWorkerData): void {
  const end = new ChannelEnd(channel, GUEST);
  try {
    const streams = new Map([
      [QUESTIONS, end],
      [ANSWERS, end],
    ]);
    instanceOf(image, streams).evaluate('Bunraku.serve');
  } catch {
    // Ruby has been brought down: by its end, by a stack that is too deep, by a fault of its own. The waiting side is
    // told of the end, and knows what was running.
  } finally {
    end.close();
  }
}
