import { InvalidResponseDataError, type LanguageModelV4, type LanguageModelV4StreamPart } from "@ai-sdk/provider"

/**
 * The same model, except that an answer which breaks off ends with one error part: where the connection breaks, and where the stream
 * ends before the provider said why. Some providers' packages throw then, and some give what has arrived as if it were all.
 */
export function withWholeAnswers(model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (call) => model.doGenerate(call),
    doStream: async (call) => {
      const result = await model.doStream(call)
      return { ...result, stream: endingOnce(result.stream, call.abortSignal) }
    },
  }
}

type PartStream = ReadableStream<LanguageModelV4StreamPart>

function endingOnce(stream: PartStream, abortSignal: AbortSignal | undefined): PartStream {
  const reader = stream.getReader()
  return new ReadableStream({
    async pull(controller) {
      const end = (part: LanguageModelV4StreamPart): void => {
        controller.enqueue(part)
        controller.close()
      }
      try {
        const { done, value } = await reader.read()
        if (done || isCutOff(value)) return end(cutOff())
        if (value.type !== "finish" && value.type !== "error") return controller.enqueue(value)
        end(value)
        // Parts after the end carry nothing more.
        await reader.cancel()
      } catch (error) {
        if (abortSignal?.aborted === true) throw error
        end({ type: "error", error })
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function isCutOff(part: LanguageModelV4StreamPart): boolean {
  return part.type === "finish" && part.finishReason.raw === undefined
}

function cutOff(): LanguageModelV4StreamPart {
  return { type: "error", error: new InvalidResponseDataError({ data: null, message: "The answer was cut off." }) }
}
