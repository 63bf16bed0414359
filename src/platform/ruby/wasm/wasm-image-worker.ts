/** The thread in which the image is made that all instances begin with. */

import { answerOnce } from '../../threads/index.ts';
import { OwnRubyImages } from './ruby-images.ts';

answerOnce((memoryBytes: number) => new OwnRubyImages(memoryBytes).get());
