#include "server/http_api.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "model/public_result.h"
#include "wire/request_json.h"
#include "wire/result_json.h"

namespace palena::server {
namespace {

HttpResponse TextResponse(std::string body) {
  HttpResponse response;
  response.content_type = "text/plain; charset=utf-8";
  response.body = std::move(body);
  return response;
}

HttpResponse ResultResponse(const model::Result& result) {
  HttpResponse response;
  response.status = HttpStatusOf(result.code);
  response.body = wire::ResultJson(model::ToPublic(result));
  response.closes = result.code == model::Code::kDraining;
  return response;
}

model::Result MalformedBody(std::string reason) {
  return model::Result::Failure(
      {model::Code::kMalformed, "Malformed body: " + std::move(reason), 0, ""});
}

// A page in a browser may send requests to any address that its user reaches, the loopback
// included, and cannot leave out this header.
HttpResponse RefuseOrigin() {
  return HttpErrorResponse(
      {HttpError::kForeignOrigin,
       "Requests with an Origin header come from pages in browsers, which are not served"});
}

HttpResponse RefuseMethod(const HttpRoute& route, std::string_view method) {
  HttpResponse response = HttpErrorResponse(
      {HttpError::kMethodNotAllowed, absl::StrCat(std::string(method), " is not allowed here; ",
                                                  std::string(route.methods), " are")});
  response.AddHeader("Allow", route.methods);
  return response;
}

}  // namespace

HttpApi::HttpApi(HttpNode& node, unsigned shard, net::Loop& loop, HttpAnswerSink& sink)
    : node_(node),
      shard_(node.engine->shard(shard)),
      shard_index_(shard),
      loop_(loop),
      sink_(sink) {}

void HttpApi::Handle(const HttpRequest& request, const HttpCaller& caller) {
  Answer answer = Route(request, caller);
  if (answer.has_value()) sink_.OnAnswer(caller.session, *answer);
}

HttpApi::Answer HttpApi::Route(const HttpRequest& request, const HttpCaller& caller) {
  const auto parsed = ParseHttpTarget(request.target);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    return HttpErrorResponse({HttpError::kMalformed, *error});
  }
  Exchange exchange{request, std::get<HttpTarget>(parsed), {}, caller};
  const HttpRoute* const route = FindHttpRoute(exchange.target.path, exchange.names);
  if (route == nullptr) {
    return HttpErrorResponse(
        {HttpError::kNotFound, absl::StrCat("There is nothing at ", request.target,
                                            "; docs/http.md lists the addresses")});
  }
  if (!route->Allows(request.method)) return RefuseMethod(*route, request.method);
  if (request.has_origin) return RefuseOrigin();
  return Do(route->action, exchange);
}

HttpApi::Answer HttpApi::Do(HttpAction action, const Exchange& exchange) {
  switch (action) {
    case HttpAction::kHealth:
      return TextResponse("ok\n");
    case HttpAction::kReady:
      return Ready();
    case HttpAction::kMetrics:
      return Metrics(exchange);
    case HttpAction::kExecute:
      return Execute(exchange);
    case HttpAction::kTakeMany:
      return Call(ReadTakeMany(exchange.target, exchange.request), exchange);
    case HttpAction::kListLimits:
      return ListLimits(exchange);
    case HttpAction::kTake:
      return Take(model::TakeMode::kTake, exchange);
    case HttpAction::kPeek:
      return Take(model::TakeMode::kPeek, exchange);
    case HttpAction::kRenew:
      return Take(model::TakeMode::kRenew, exchange);
    case HttpAction::kRelease:
      return Take(model::TakeMode::kRelease, exchange);
    case HttpAction::kReset:
      return Reset(exchange);
  }
  base::CheckFailed(__FILE__, __LINE__, "a known action");
}

HttpApi::Answer HttpApi::Ready() const {
  if (node_.is_ready.load()) return TextResponse("ready\n");
  return HttpErrorResponse({HttpError::kNotReady, "The node is starting or stopping"});
}

HttpApi::Answer HttpApi::Execute(const Exchange& exchange) {
  const auto parsed = wire::ParseRequestJson(exchange.request.body, wire::RequestTimeout::kAllowed);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    return ResultResponse(MalformedBody(*error));
  }
  const auto& json = std::get<wire::JsonRequest>(parsed);
  std::vector<model::ParameterView> parameters;
  parameters.reserve(json.parameters.size());
  for (const auto& [name, value] : json.parameters) parameters.push_back({name, -1, value});
  model::RequestView request;
  request.script = json.script;
  request.parameters = parameters;
  request.timeout_ms = json.timeout_ms;
  shard_.ExecuteNow({request, {this, exchange.caller.session, 0}, exchange.caller.lane});
  return std::nullopt;
}

void HttpApi::OnResult(std::uint64_t session, std::uint64_t /*request*/, model::Result& result) {
  Send(session, ResultResponse(result));
}

void HttpApi::Send(std::uint64_t session, HttpResponse response) {
  sink_.OnAnswer(session, response);
}

void HttpApi::SendLater(std::uint64_t session, HttpResponse response) {
  loop_.Post(
      [this, session, moved = std::move(response)]() mutable { Send(session, std::move(moved)); });
}

// ---- limits

HttpApi::Answer HttpApi::Take(model::TakeMode mode, const Exchange& exchange) {
  return Call(ReadTake(mode, exchange.names[0], exchange.target, exchange.request), exchange);
}

HttpApi::Answer HttpApi::Call(const std::variant<TakeCall, HttpFailure>& read,
                              const Exchange& exchange) {
  if (const auto* failure = std::get_if<HttpFailure>(&read)) return HttpErrorResponse(*failure);
  const auto& call = std::get<TakeCall>(read);
  node_.limits->Execute({call.shape.mode, call.wishes, call.timeout_ms},
                        {shard_index_, exchange.caller.lane},
                        {this, exchange.caller.session, call.shape.Pack()});
  return std::nullopt;
}

void HttpApi::OnTake(std::uint64_t session, std::uint64_t request, model::TakeAnswer& answer) {
  Send(session, TakeResponse(answer, TakeShape::Unpack(request)));
}

HttpApi::Answer HttpApi::Reset(const Exchange& exchange) {
  const auto read = ReadParts(exchange.names[1], exchange.target, exchange.request);
  if (const auto* failure = std::get_if<HttpFailure>(&read)) return HttpErrorResponse(*failure);
  const std::string_view name = exchange.names[0];
  if (node_.limits->current()->Find(name) == nullptr) {
    return HttpErrorResponse(
        {HttpError::kUnknownLimit,
         absl::StrCat("No limit is named \"", std::string(name), "\"; GET /v1/limits lists them")});
  }
  model::TakeWish wish;
  wish.limit = name;
  wish.parts = std::get<std::vector<model::TakePart>>(read);
  node_.limits->Reset(wish, {shard_index_, exchange.caller.lane},
                      {this, exchange.caller.session, 0});
  return std::nullopt;
}

void HttpApi::OnReset(std::uint64_t session, std::uint64_t /*request*/, model::Result& result) {
  Send(session, ResetResponse(result));
}

HttpApi::Answer HttpApi::ListLimits(const Exchange& exchange) {
  node_.limits->Collect(
      [this, session = exchange.caller.session](const limits::LimitReport& report) {
        SendLater(session, LimitsResponse(*node_.limits->current(), report));
      });
  return std::nullopt;
}

// ---- metrics

// Shards report on their own threads, one gathering after the other.
HttpApi::Answer HttpApi::Metrics(const Exchange& exchange) {
  node_.engine->CollectMetrics(
      [this, session = exchange.caller.session](const std::vector<engine::Metric>& metrics) {
        MetricsPage page;
        page.AddServer(node_.metrics());
        page.AddEngine(metrics);
        node_.limits->Collect([this, session, page](const limits::LimitReport& report) mutable {
          page.AddLimits(report.limits);
          HttpResponse response;
          response.content_type = kMetricsContentType;
          response.body = page.Take();
          SendLater(session, std::move(response));
        });
      });
  return std::nullopt;
}

}  // namespace palena::server
